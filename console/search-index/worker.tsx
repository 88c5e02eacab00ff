/** The script of the worker that contains the index. */
import { expose } from 'comlink';
import * as z from 'zod/mini';
import { IndexService } from './index-service.ts';
import { StoredObjects } from './stored-objects.tsx';

// As in main.tsx: the Content-Security-Policy forbids `new Function`.
z.config({ jitless: true });

expose(new IndexService((owner) => StoredObjects.open(owner)));
