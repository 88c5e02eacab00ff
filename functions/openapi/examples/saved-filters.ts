import type { Examples } from './example.ts';
import { added } from './objects.ts';

const filter = {
  saved_filter_id: 'b1d6c7a0-5f0c-4f0e-8a55-0c6a4c1f7e61',
  name: 'Offline in Sydney',
  list: 'nodes' as const,
  parameters: { region: 'ap-southeast-2', state: 'offline' },
  shared: true,
  own: true,
  pinned: false,
  created_by: { kind: 'user', id: 'admin', name: 'admin' },
  ...added,
};

const params = { saved_filter_id: filter.saved_filter_id };

export const savedFiltersExamples = {
  addSavedFilter: {
    shared: {
      summary: 'A shared filter',
      body: { name: filter.name, list: filter.list, parameters: filter.parameters, shared: true },
      reply: filter,
    },
  },
  listSavedFilters: { all: { summary: 'All that the caller sees', reply: { saved_filters: [filter] } } },
  changeSavedFilter: {
    renamed: {
      summary: 'Another name, and a pin of the caller',
      params,
      body: { name: 'Sydney, offline', pinned: true },
      reply: { ...filter, name: 'Sydney, offline', pinned: true, revision: 2, updated_at: '2026-03-02T12:00:00.000Z' },
    },
  },
  removeSavedFilter: { one: { summary: 'A saved filter', params } },
} satisfies Examples;
