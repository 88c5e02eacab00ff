// Imported first, for its effect. Old syntax only: a Node that is too old must be able to parse this file,
// because Node parses a whole static import graph before it runs any of it.
var requiredMajor = 24;
var running = process.versions.node;

if (Number(running.split('.')[0]) < requiredMajor) {
  process.stderr.write(
    'Node ' +
      requiredMajor +
      ' or newer is required, but this is Node ' +
      running +
      '. On Linux `npm ci` installs Node ' +
      requiredMajor +
      ' as an optional package: use `npm start` or `npm test`. Elsewhere install Node ' +
      requiredMajor +
      ' (see .nvmrc).\n',
  );
  process.exit(1);
}
