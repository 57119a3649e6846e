import { defineConfig } from 'vite';

// Vite prepares the packages of these at its start: one that it found later would reload the page in a test.
export default defineConfig({ optimizeDeps: { entries: ['index.html', 'clients/*.ts'] } });
