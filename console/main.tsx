/** The script of the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import { refuseStrayFiles } from './files/stray-files.ts';

const root = document.getElementById('console');
refuseStrayFiles();
if (root) render(<App />, root);
