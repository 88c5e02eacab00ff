import { resolve } from 'node:path';
import type { Action } from '../command/command.ts';
import { type Context, readConfig, storeCredential, writeConfig } from '../connection/config.ts';
import { CommandError } from '../core/exit-codes.ts';
import { addressOf, contextIn } from '../connection/settings.ts';

export const list: Action = {
  run: async ({ output, world }) => {
    const { contexts, current } = await readConfig(world);
    const rows = Object.entries(contexts).map(([name, { url, ...rest }]) => ({
      name,
      current: name === current ? '*' : '',
      url,
      ...rest,
    }));
    await output.list(rows, {
      columns: ['name', 'current', 'url'],
      wide: ['name', 'current', 'url', 'ca', 'insecure', 'key_file', 'key_command'],
    });
    return undefined;
  },
};

export const use: Action = {
  run: async ({ args, world }) => {
    const config = await readConfig(world);
    const [name] = contextIn(config, args[0]) ?? [];
    await writeConfig(world, { ...config, ...(name === undefined ? {} : { current: name }) });
    return undefined;
  },
};

export const set: Action = {
  options: [
    { flags: '--key-command <command>', description: 'a command that prints the key, such as `pass show inventory`' },
  ],
  run: async ({ args: [name = ''], options, world }) => {
    const config = await readConfig(world);
    const before = config.contexts[name];
    const url = options.text('url') ?? before?.url;
    if (url === undefined) throw new CommandError('A new context needs --url.');
    const [ca, keyFile, keyCommand] = [options.text('ca'), options.text('keyFile'), options.text('keyCommand')];
    const address = addressOf(url, '--url');
    // A key is never sent to another address than the one that it was stored for.
    if (before !== undefined && addressOf(before.url) !== address) await storeCredential(world, name, undefined);
    const context: Context = {
      ...before,
      url: address,
      // Later commands run in other folders.
      ...(ca === undefined ? {} : { ca: resolve(ca) }),
      ...(options.flag('insecure') ? { insecure: true } : {}),
      ...(keyFile === undefined ? {} : { key_file: resolve(keyFile) }),
      ...(keyCommand === undefined ? {} : { key_command: keyCommand }),
    };
    await writeConfig(world, { current: config.current ?? name, contexts: { ...config.contexts, [name]: context } });
    return undefined;
  },
};

export const remove: Action = {
  run: async ({ args: [name = ''], world }) => {
    const { current, contexts } = await readConfig(world);
    contextIn({ contexts }, name);
    await storeCredential(world, name, undefined);
    const rest = Object.fromEntries(Object.entries(contexts).filter(([contextName]) => contextName !== name));
    await writeConfig(world, { ...(current === undefined || current === name ? {} : { current }), contexts: rest });
    return undefined;
  },
};
