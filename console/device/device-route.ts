/** In a file of its own: the script of the log-in page contains it, and no schemas. */
export { DEVICE_PAGE } from '../../functions/domain/access/device-page.ts';
