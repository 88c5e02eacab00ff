import { queryOptions, useQuery } from '@tanstack/react-query';
import { endpoint as getVersion } from '../../functions/api/server/get-version/endpoint.ts';
import { CHANGE_DAYS } from '../../functions/domain/records/retention.ts';
import { call, type ReplyOf } from '../api/client.tsx';

const query = queryOptions({
  queryKey: ['once', 'version'],
  queryFn: () => call(getVersion, {}),
  // With settings of the server: they do not change while the server runs.
  staleTime: Infinity,
  gcTime: Infinity,
  refetchOnMount: true,
});

/** The version of the server with its public settings. Empty while it is loaded, and after a failure. */
export const useServerVersion = (): Partial<ReplyOf<typeof getVersion>> => useQuery(query).data ?? {};

/** How long changes and audit entries are kept, in days. */
export const useRetentionDays = (): number => useServerVersion().retention_days ?? CHANGE_DAYS;
