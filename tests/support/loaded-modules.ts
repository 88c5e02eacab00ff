import ts from 'typescript';

const TYPES_ONLY = /^(import|export) type [^;]*;/gm;

/** The specifiers of all modules that a source loads when it runs, also on demand. Those of types alone are gone by then. */
export const loadedModules = (text: string): string[] =>
  ts.preProcessFile(text.replace(TYPES_ONLY, '')).importedFiles.map(({ fileName }) => fileName);
