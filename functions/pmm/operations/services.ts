import { serviceAddition, serviceChange } from '../../domain/service/schema.ts';
import { serviceTypes } from '../../domain/service/types.ts';
import type { Service } from '../../store/entities/entity.ts';
import { addObject, changeObject } from '../../store/inventory/entities.ts';
import { changedService, newService } from '../../transitions/service.ts';
import { serviceChangeFields } from '../declarations/services.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { mapIn, textsIn } from '../wire/input.ts';
import { decodeChange } from '../wire/message.ts';
import { inWordsOf } from '../wire/words.ts';
import { additionOf, bodyOf, contextOf, oneOf, subjectOf } from './bodies.ts';
import { declarationOf, keyedMessage, subjectId } from './objects.ts';

export const addService: Operation = async (call) => {
  const { generation, dependencies } = call;
  const { type, message } = oneOf(call, 'service', serviceTypes);
  const subject = subjectOf('service', declarationOf('service', type), generation);
  const body = additionOf(serviceAddition, { kind: 'service', type, subject }, message);
  const writeContext = contextOf(call);
  const made = newService({ newId: dependencies.newId, now: writeContext.now }, body);
  const request = { kind: 'service', idempotency: undefined, writeContext } as const;
  const added = await addObject(dependencies.table, request, () => made);
  return keyedMessage(added, added.object, generation);
};

const rules = { fields: serviceChangeFields, subject: 'ChangeServiceRequest', use: 'change' } as const;

/** Changes a service. Fields that PMM does not know stay as they are. */
async function change(call: WireCall, patchOf: (old: Service) => Record<string, unknown>) {
  const id = subjectId(call, 'service', 'Change');
  const { table } = call.dependencies;
  const changed = await changeObject(
    table,
    { kind: 'service', id, ifMatch: undefined, writeContext: contextOf(call) },
    (old) => inWordsOf(rules, () => changedService(old, bodyOf(serviceChange, patchOf(old), rules))),
  );
  return keyedMessage(changed, changed.object, call.generation);
}

export const changeService: Operation = (call) =>
  change(call, (old) => decodeChange(serviceChangeFields, call.input, old));

export const addServiceLabels: Operation = async (call) => {
  await change(call, () => ({ custom_labels: mapIn(call.input, 'custom_labels') ?? {} }));
  return {};
};

export const removeServiceLabels: Operation = async (call) => {
  const names = textsIn(call.input, 'custom_label_keys');
  await change(call, () => ({ custom_labels: Object.fromEntries(names.map((name) => [name, null])) }));
  return {};
};
