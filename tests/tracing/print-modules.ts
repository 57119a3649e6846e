/** Preloaded before the program, it prints at the end which packages of OpenTelemetry were loaded. */
process.on('exit', () => {
  const modules = Object.keys(require.cache).filter((path) => /@opentelemetry|src\/tracing/.test(path));
  console.log(JSON.stringify(modules));
});
