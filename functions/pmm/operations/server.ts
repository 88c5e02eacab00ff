import { ApiError } from '../../../shared/core/errors.ts';
import { TableFault } from '../../../shared/db/table-fault.ts';
import { isSetUp } from '../../store/table/health-check.ts';
import { pmmVersion } from '../declarations/version.ts';
import type { WireCall, Operation, Operations } from '../wire/call.ts';
import { textIn } from '../wire/input.ts';
import { GrpcError } from '../wire/errors.ts';
import { recordSeconds } from '../../store/table/record-retention.ts';

/** An error by its number. */
const ERROR_ASKED = /^grpccode-([0-9]{1,2})$/;

/**
 * The error that the tests of PMM's clients ask for. Only an Admin can: a gateway raises an alarm for replies 5xx. It is no
 * fault of this service, so it is not logged as one.
 */
function askedError({ input, caller }: WireCall): GrpcError | undefined {
  const dummy = textIn(input, 'dummy');
  if (caller().role !== 'Admin') return undefined;
  const [, code] = ERROR_ASKED.exec(dummy) ?? [];
  if (code !== undefined) return new GrpcError(Number(code));
  return dummy.startsWith('panic-') ? new GrpcError(13, 'Internal server error.') : undefined;
}

export const getPmmVersion: Operation = (call) => {
  const error = askedError(call);
  if (error !== undefined) throw error;
  return Promise.resolve(pmmVersion(call.generation, call.dependencies.build));
};

const isOff = {
  updates_enabled: false,
  telemetry_enabled: false,
  advisor_enabled: false,
  alerting_enabled: false,
  pmm_public_address: '',
  backup_management_enabled: false,
  azurediscover_enabled: false,
  enable_access_control: false,
};

const settings = {
  ...isOff,
  metrics_resolutions: { hr: '5s', mr: '10s', lr: '60s' },
  advisor_run_intervals: { standard_interval: '86400s', rare_interval: '280800s', frequent_interval: '14400s' },
  ssh_key: '',
  aws_partitions: [],
  default_role_id: 0,
  telemetry_summaries: [],
  update_snooze_duration: '0s',
  enable_internal_pg_qan: false,
};

export const serverOperations: Operations = {
  getPmmVersion,
  getSettings: () => Promise.resolve({ settings: { ...settings, data_retention: `${recordSeconds()}s` } }),
  getReadOnlySettings: () => Promise.resolve({ settings: isOff }),
};

const getReadiness: Operation = async ({ dependencies: { table } }) => {
  const isReady = await isSetUp(table).catch((cause: unknown) => {
    if (cause instanceof TableFault) throw cause;
    throw new ApiError('unavailable', 'PMM Server is not ready yet.', { cause, fault: 'table_unreachable' });
  });
  if (!isReady) throw new ApiError('unavailable', 'PMM Server is not ready yet.');
  return {};
};

export const healthOperations: Operations = {
  getReadiness,
  getGrafanaHealth: async (call) => {
    await getReadiness(call);
    const { version, commit } = call.dependencies.build;
    return { commit, database: 'ok', version };
  },
};
