import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'inventory-'));
}

export async function removeDataDir(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
