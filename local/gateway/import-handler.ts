/** Imports a handler of the functions. The package of the server has a list in place of this module (tools/package-server.ts). */
export const importHandler = (path: string): Promise<unknown> => import(`../../${path}`);
