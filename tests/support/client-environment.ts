/** The environment of this process, without the settings that its owner may have made for clients of an own server. */
export const clientEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('INVENTORY_')));
