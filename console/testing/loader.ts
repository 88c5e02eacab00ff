import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as rolldown from 'rolldown/utils';

const require = createRequire(import.meta.url);

/** Modules that were loaded so far in this process: a page that loads others on demand has not finished while it grows. */
export const loading = { modules: 0 };

/** JavaScript from TypeScript with JSX, in this process: by what Vite builds the console with, without a process of its own. */
function compiled(path: string): string {
  const { transformSync } = require('rolldown/utils') as typeof rolldown;
  const { code, map, errors } = transformSync(path, readFileSync(path, 'utf8'), {
    jsx: { runtime: 'automatic', development: false },
    sourcemap: true,
    tsconfig: false,
  });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => `${path}: ${message}`).join('\n'));
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}

/** The components of Cloudscape are written for bundlers: modules of JavaScript that name files without their ending. */
const COMPONENTS = '/node_modules/@cloudscape-design/components/';

function completed(url: URL): string | undefined {
  const endings = ['', '.js', '/index.js'];
  const name = url.href.replace(/\/$/, '');
  return endings
    .map((ending) => name + ending)
    .find((candidate) => /\.\w+$/.test(candidate) && existsSync(new URL(candidate)));
}

/** A module of CommonJS with a default export, which Node gives as a property of its default. Bundlers read another file of it. */
const WITH_DEFAULT = 'intl-messageformat';

/**
 * React as users have it, whatever file of this process loads it first: files share it, and a build for development does not work
 * with one for production.
 */
const REACT = /\/node_modules\/(?:react|react-dom|scheduler)\/[\w.-]+\.js$/;

const TEST_FILE = /\.test\.tsx?(?=\?|$)/;

registerHooks({
  resolve: (specifier, context, next) => {
    if (context.parentURL?.includes(COMPONENTS) === true && specifier.startsWith('.')) {
      const url = completed(new URL(specifier, context.parentURL));
      if (url !== undefined) return { url, format: url.endsWith('.json') ? 'json' : 'module', shortCircuit: true };
    }
    const resolved = next(specifier, context);
    if (specifier === WITH_DEFAULT) return { ...resolved, url: `${resolved.url}?default`, format: 'module' };
    return resolved.url.includes(COMPONENTS) && resolved.url.endsWith('.js')
      ? { ...resolved, format: 'module' }
      : resolved;
  },
  load: (url, context, next) => {
    loading.modules += 1;
    const [address = ''] = url.split('?');
    if (TEST_FILE.test(url)) {
      const { browser } = require('./browser.tsx') as { browser: Record<'open' | 'close', () => void> };
      if (address.endsWith('.tsx')) browser.open();
      else browser.close();
    }
    if (url.endsWith('?default'))
      return {
        format: 'module',
        source: `import all from '${address}'; export default all.default;`,
        shortCircuit: true,
      };
    if (REACT.test(address)) {
      const source = readFileSync(fileURLToPath(address), 'utf8').replaceAll('process.env.NODE_ENV', '"production"');
      return { format: 'commonjs', source, shortCircuit: true };
    }
    if (address.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true };
    if (address.endsWith('.tsx'))
      return { format: 'module', source: compiled(fileURLToPath(address)), shortCircuit: true };
    return next(url, context);
  },
});
process.setSourceMapsEnabled(true);
