/** The modules exported below build every key, from the shapes in items.ts. No other module does. */
export * from './object-keys.ts';
export * from './change-keys.ts';
export * from './access-keys.ts';
export * from './table-key.ts';
export { isAccessItem, isKeyItem } from './items.ts';
