/** The operations of the management API that change something, by their names in the routes. */
export { addManagedService } from './add-service.ts';
export { addAnnotation } from './annotate.ts';
export { registerNode } from './register.ts';
export { removeManagedService, unregisterNode } from './remove-service.ts';
