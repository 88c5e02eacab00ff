import { invalidRequest } from '../../../shared/core/errors.ts';
import { agentAddition, agentChange } from '../../domain/agent/schema.ts';
import type { Agent } from '../../store/entities/entity.ts';
import { addObject, changeObject, placeOf } from '../../store/inventory/entities.ts';
import { withState } from '../../store/heartbeats/with-state.ts';
import { changedAgent, newAgentAt } from '../../transitions/agent.ts';
import { addableAgents, agentDeclaration, changeableAgents } from '../declarations/agents.ts';
import type { WireCall, Operation } from '../wire/call.ts';
import { type Fields, flagIn, given, mapIn, messageIn } from '../wire/input.ts';
import { decodeChange } from '../wire/message.ts';
import { inWordsOf } from '../wire/words.ts';
import { additionOf, bodyOf, contextOf, oneOf, subjectOf } from './bodies.ts';
import { declarationOf, keyedMessage, subjectId } from './objects.ts';

export const addAgent: Operation = async (call) => {
  const { generation, dependencies } = call;
  const { table, newId } = dependencies;
  const { type, message } = oneOf(call, 'agent', addableAgents);
  const subject = subjectOf('agent', declarationOf('agent', type), generation);
  const body = additionOf(agentAddition, { kind: 'agent', type, subject }, message);
  if (type === 'external_exporter' && body.insights.service_ids.length === 0)
    throw invalidRequest([{ field: '', reason: 'required', message: 'Empty Service ID.' }]);
  const writeContext = contextOf(call);
  const context = { newId, now: writeContext.now };
  const added = await addObject(table, { kind: 'agent', idempotency: undefined, writeContext }, async () =>
    newAgentAt(context, body, await placeOf(table, body)),
  );
  return keyedMessage(added, added.object, generation);
};

const both = (message: string) => invalidRequest([{ field: '', reason: 'not_allowed', message }]);

/** A change in the form of PMM 3. PMM 2 has pairs of flags, of which at most one may be set. */
function changeMessage({ input, generation }: WireCall): Fields {
  if (generation === 3) return input;
  const common = messageIn(input, 'common') ?? {};
  const [enable, disable] = [flagIn(common, 'enable'), flagIn(common, 'disable')];
  if (enable && disable) throw both('expected at most one param: enable or disable');
  const [push, pull] = [flagIn(common, 'enable_push_metrics'), flagIn(common, 'disable_push_metrics')];
  if (push && pull) throw both('expected one of  param: enable_push_metrics or disable_push_metrics');
  const labels = mapIn(common, 'custom_labels');
  const replaces = flagIn(common, 'remove_custom_labels') ? { values: {} } : labels && { values: labels };
  return {
    ...(enable || disable ? { enable } : {}),
    ...(push || pull ? { enable_push_metrics: push } : {}),
    ...(replaces === undefined ? {} : { custom_labels: replaces }),
    metrics_resolutions: given(common, 'metrics_resolutions'),
  };
}

export const changeAgent: Operation = async (call) => {
  const { table, clock } = call.dependencies;
  const { route, generation } = call;
  const noun = route.type === undefined ? undefined : declarationOf('agent', route.type).title;
  const id = subjectId(call, 'agent', 'Change', noun);
  const { type, message: member } = oneOf(call, 'agent', changeableAgents);
  const { fields, title } = agentDeclaration(type);
  const message = generation === 3 ? member : changeMessage(call);
  const rules = { fields, subject: `Change${title}Params`, use: 'change' } as const;
  const next = (old: Agent) => {
    if (old.agent_type !== type)
      throw invalidRequest([
        { field: '', reason: 'mismatch', message: `Agent with ID "${id}" is a ${old.agent_type}, not a ${type}.` },
      ]);
    return inWordsOf(rules, () => changedAgent(old, bodyOf(agentChange, decodeChange(fields, message, old), rules)));
  };
  const changed = await changeObject(
    table,
    { kind: 'agent', id, ifMatch: undefined, writeContext: contextOf(call) },
    next,
  );
  return keyedMessage(changed, await withState(table, changed, clock()), generation);
};
