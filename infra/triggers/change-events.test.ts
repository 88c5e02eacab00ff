import {
  ACCESS_EVENTS_PARTITION,
  ANNOTATIONS_PARTITION,
  changeKey,
  REFUSALS_PARTITION,
  STATE_CHANGES_PARTITION,
} from '../../functions/store/table/keys.ts';
import { grantsOf, resourceAt, resourcesOf, synthesise, type Template } from '../synthesis/synthesise.ts';

/** What the function gets of the stream: the events of the partitions. */
function readIn(template: Template) {
  const { properties }: { properties: any } = resourceAt(template, 'Events/Stream/Resource');
  return properties.FilterCriteria.Filters.map(({ Pattern }: any) => {
    const { eventName, dynamodb } = JSON.parse(Pattern);
    return [eventName, dynamodb.Keys.pk.S];
  });
}

const changes = [['INSERT'], [{ prefix: changeKey('').pk }, STATE_CHANGES_PARTITION]];

test('by default, only changes of the audit are published', () => {
  expect(readIn(synthesise())).toEqual([changes]);
});

test('auditEvents also publishes credential actions, and refusals with each new count', () => {
  const template = synthesise({ auditEvents: true });
  expect(readIn(template)).toEqual([
    changes,
    [['INSERT'], [ACCESS_EVENTS_PARTITION, ANNOTATIONS_PARTITION]],
    [['INSERT', 'MODIFY'], [REFUSALS_PARTITION]],
  ]);
  // By the same reader with the same rights: DynamoDB throttles a third one.
  const readers = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
  expect(readers).toHaveLength(2);
  expect(grantsOf(template, 'Events/publishChanges')).toEqual(grantsOf(synthesise(), 'Events/publishChanges'));
});

test('without change events there are no audit events', () => {
  expect(() => synthesise({ auditEvents: true, changeEvents: false })).toThrow(
    'auditEvents are published with changes, but changeEvents is false.',
  );
});
