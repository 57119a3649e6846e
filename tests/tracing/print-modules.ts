/** Is preloaded before the program, and prints the loaded modules of OpenTelemetry when the program exits. */
process.on('exit', () => {
  const modules = Object.keys(require.cache).filter((path) => /@opentelemetry|src\/tracing/.test(path));
  console.log(JSON.stringify(modules));
});
