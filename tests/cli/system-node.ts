import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Node of the system, which may be the oldest that the package takes; else the one that runs the test. */
export function systemNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  return folders.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath;
}
