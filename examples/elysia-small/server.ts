import { createApp } from './app.ts';
import { openDatabase } from './database.ts';

// Plant Store: one file reads all settings, and a value that does not parse stops the start.
const { TOKEN, DATABASE = 'plants.sqlite', PORT = '3000' } = process.env;
if (!TOKEN) throw new Error('Set TOKEN to the token of the clients.');

const app = createApp(openDatabase(DATABASE), TOKEN).listen({
  port: Number(PORT),
  // Elysia's default is true: a second server would share the port without a word.
  reusePort: false,
});
console.log(`http://127.0.0.1:${app.server?.port}`);
