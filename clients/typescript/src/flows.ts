export { batch, type BatchOptions } from './flows/batch.ts';
export { type ChangePage, followChanges, type FollowOptions } from './flows/changes.ts';
export { mirror, type MirroredObject, type MirrorOptions, type MirrorStore } from './flows/mirror.ts';
export { applyPlan, planScope } from './flows/plan.ts';
export { rotateKey, type RotateOptions } from './flows/rotate.ts';
export { exportAll, importLines, type ImportOptions, type ImportTotals } from './flows/transfer.ts';
