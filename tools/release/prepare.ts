/*
 * Changes this checkout to that of a release of a day, or to the first commit after one:
 * node tools/release/prepare.ts 0.2.0 2026-01-31 | node tools/release/prepare.ts after 0.2.0
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseSection } from './changelog.ts';
import { nextVersion, withVersion } from './versions.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function rewrite(name: string, change: (text: string) => string): void {
  const file = join(root, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const runTool = (tool: string) => execFileSync(process.execPath, [join(root, tool)], { cwd: root, stdio: 'inherit' });

function stateVersion(version: string): void {
  for (const name of ['package.json', 'package-lock.json']) rewrite(name, (text) => withVersion(text, version));
  runTool('tools/generate.ts');
}

if (import.meta.main) {
  const [first = '', second = ''] = process.argv.slice(2);
  if (first === 'after') stateVersion(nextVersion(second));
  else {
    rewrite('CHANGELOG.md', (text) => releaseSection(text, first, second).changelog);
    stateVersion(first);
    runTool('tools/record-release.ts');
  }
}
