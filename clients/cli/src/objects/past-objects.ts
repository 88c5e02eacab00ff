import { getObjectAsOf, listRemoved } from '../../../typescript/src/generated/operations.ts';
import type { Client } from '../../../typescript/src/operation.ts';
import { CommandError, exitOf } from '../core/exit-codes.ts';
import { findObject } from './find-object.ts';
import { type KindName } from './objects.ts';
import { type Fields, fieldsOf, milliseconds } from '../core/values.ts';

/** `2h` is two hours ago; other texts are times, which the server checks. */
export function timeOf(text: string, now: number): string {
  const ago = milliseconds(text);
  return ago === undefined ? text : new Date(now - ago).toISOString();
}

/** The present object with this name or id, or the last removal of such an object. */
async function findPresentOrRemoved(client: Client, kind: KindName, name: string) {
  try {
    const { id } = await findObject(client, kind, name);
    return { object_id: id };
  } catch (error) {
    if (exitOf(error) !== 'missing') throw error;
    for await (const { objects } of listRemoved(client, { page_size: 1000 })) {
      const removedObject = objects.find(
        (candidate) =>
          candidate.kind === kind && (candidate.id === name || (kind !== 'agent' && candidate.name === name)),
      );
      if (removedObject !== undefined) return { object_id: removedObject.id, removal: removedObject.change_id };
    }
    throw error;
  }
}

/** An object as of a time. @throws CommandError if the inventory did not contain it, or if that is not known. */
export async function objectAsOf(client: Client, kind: KindName, name: string, time: string): Promise<Fields> {
  const target = await findPresentOrRemoved(client, kind, name);
  const { presence, object, from, until } = await getObjectAsOf(client, { kind, ...target, time });
  if (object !== undefined) return fieldsOf(object);
  const reasons = new Map([
    ['not_added', `was added later, at ${String(until)}`],
    ['removed', `was removed at ${String(from)}`],
  ]);
  const why = reasons.get(presence) ?? `of ${time} is not known: its kept changes begin at ${String(until)}`;
  throw new CommandError(`The ${kind} ${name} ${why}.`, 'missing');
}
