import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';
import { withoutDocumentation } from './without-documentation.ts';

/** Marks the initialisers of the constants of a module as free of side effects. */
function withPureConstants(path: string, code: string): string {
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest);
  const initialisers = source.statements.flatMap((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.flatMap(({ initializer }) => initializer ?? [])
      : [],
  );
  let end = 0;
  let marked = '';
  for (const initialiser of initialisers) {
    if (ts.isFunctionLike(initialiser)) continue;
    const start = initialiser.getStart(source);
    marked += `${code.slice(end, start)}/* @__PURE__ */ (() => (${code.slice(start, initialiser.end)}))()`;
    end = initialiser.end;
  }
  return marked + code.slice(end);
}

/**
 * Constants of our own modules that a bundle does not use are left out of it. They have no side effects, but most are
 * schemas, and esbuild cannot know that of a call of a method. A function would create all schemas of each module that
 * it imports.
 */
export const pureConstants: Plugin = {
  name: 'pure-constants',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\/(functions|shared)\/.*\.ts$/ }, async ({ path }) =>
      path.includes('/node_modules/')
        ? undefined
        : { contents: withPureConstants(path, withoutDocumentation(path, await readFile(path, 'utf8'))), loader: 'ts' },
    );
  },
};
