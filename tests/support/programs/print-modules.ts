/** Is preloaded before the program, and prints the paths of all loaded modules when the program exits. */
process.on('exit', () => console.log(JSON.stringify(Object.keys(require.cache))));
