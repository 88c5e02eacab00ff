/** The source of the provider: formatted, without findings of go vet, with its own tests. */
import { run } from '../deploy/processes.ts';
import { goEnvironment, goFor, providerModule } from './programs.ts';

const LIMIT = 10 * 60_000;

test.each([
  ['gofmt', ['run', 'cmd/gofmt', '-l', '.'], /^$/],
  ['go vet', ['vet', './...'], /^$/],
  ['go test', ['test', './...'], /^ok\s.*internal\/inventory/m],
])('%s has no findings', async (_, args, expected) => {
  const go = await goFor(providerModule);
  const printed = await run([go, ...args], { cwd: providerModule, env: goEnvironment, limitMilliseconds: LIMIT });
  expect(printed).toMatch(expected);
});
