export { inventory } from './generated/facade.ts';
