import * as z from 'zod/mini';
import { isLegible, text } from '../../../shared/core/text.ts';
import { described, maker } from '../access/api-key.ts';
import { idOf, recordShape } from '../fields/common-fields.ts';
import { openEnum } from '../fields/open-enum.ts';

/** Each list of saved filters is one reply, and the console shows all names in a menu. */
export const MAX_COMMON_FILTERS = 100;
export const MAX_OWN_FILTERS = 50;

/** Shared filters that callers with the same owners, or a part of them, have added: a team leaves room for others. */
export const MAX_TEAM_FILTERS = 25;

/** The console counts the objects of each pinned filter with one request. */
export const MAX_PINS = 10;

const MAX_PARAMETERS = 30;
const MAX_PARAMETERS_LENGTH = 4000;

/** The lists of the console that have filters. */
export const filteredLists = ['nodes', 'services', 'agents', 'clusters'] as const;

const NAME = 'Unique among the shared filters of the list, or among those of its maker.';

const name = text({ max: 100 }).check(isLegible(), z.meta({ description: NAME }));

const LIST = 'The list that it filters.';

const parameters = z
  .record(z.string().check(z.regex(/^[a-z][a-z_]{0,63}$/)), text({ max: MAX_PARAMETERS_LENGTH }).check(isLegible()))
  .check(
    z.check(({ value, issues }) => {
      const count = Object.keys(value).length;
      if (count > 0 && count <= MAX_PARAMETERS && JSON.stringify(value).length <= MAX_PARAMETERS_LENGTH) return;
      const message = `Must have 1 to ${MAX_PARAMETERS} parameters, of at most ${MAX_PARAMETERS_LENGTH} characters.`;
      issues.push({ code: 'custom', input: value, message, params: { reason: 'too_many' } });
    }),
  )
  .register(z.globalRegistry, {
    id: 'Filter_parameters',
    minProperties: 1,
    maxProperties: MAX_PARAMETERS,
    description:
      'The parameters in the address of the list in the console, by name: its filters, `sort` and `group_by`. The service ' +
      'does not interpret them.',
  });

const shared = z
  .boolean()
  .check(z.meta({ description: 'Whether everybody sees it. Requires the role Editor. Default: only its maker.' }));

const pinned = z
  .boolean()
  .check(z.meta({ description: `Whether the caller has it in the menu of the console: at most ${MAX_PINS}.` }));

export const savedFilterAddition = z
  .strictObject({
    name,
    list: z.enum(filteredLists).check(z.meta({ description: LIST })),
    parameters,
    shared: z._default(shared, false),
  })
  .register(z.globalRegistry, { id: 'Add_saved_filter', description: 'A saved filter to add.' });

export const savedFilterChange = z
  .strictObject({
    name: z.optional(name),
    parameters: z.optional(parameters),
    shared: z.optional(shared),
    pinned: z.optional(pinned),
  })
  .register(z.globalRegistry, { id: 'Change_saved_filter', description: 'Fields of a saved filter to change.' });

export const savedFilterInPath = z.strictObject({ saved_filter_id: idOf('saved filter') });

export const savedFilterSchema = z
  .strictObject({
    saved_filter_id: described('Id of the saved filter (UUID).'),
    name: described(NAME),
    list: openEnum(filteredLists, LIST),
    parameters: z
      .record(z.string(), z.string())
      .check(z.meta({ description: 'The parameters in the address of the list, by name.' })),
    shared: z.boolean().check(z.meta({ description: 'Whether everybody sees it.' })),
    own: z.boolean().check(z.meta({ description: 'Whether the caller added it.' })),
    pinned: z.boolean().check(z.meta({ description: 'Whether the caller has pinned it.' })),
    created_by: maker,
    ...recordShape(),
  })
  .register(z.globalRegistry, {
    id: 'Saved_filter',
    description: 'A filter of a list, with its order and its groups.',
  });
