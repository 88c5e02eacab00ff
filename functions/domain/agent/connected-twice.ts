/** The reason that the gateway reports of an agent process while another one connects with its id. */
export const CONNECTED_TWICE = 'A second agent process connects with this id, and is refused.';
