/** The script of the console. */
import { render } from 'preact';
import { App } from './app.tsx';

const root = document.getElementById('console');
if (root) render(<App />, root);
