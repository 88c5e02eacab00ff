import { FilterPattern, type IFilterPattern } from 'aws-cdk-lib/aws-logs';
import { fieldOf } from '../gateway/access-log.ts';

/** Lines of the access log with this status, of the reply or of Lambda; a star stands for the rest. */
export const whereStatus = (field: 'status' | 'lambda_status', status: string): IFilterPattern =>
  FilterPattern.stringValue(fieldOf(field), '=', status);

/** Requests for which Lambda started no function, because all instances that it may start run. */
export const functionIsThrottled = whereStatus('lambda_status', '429');
