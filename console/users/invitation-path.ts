/** The first segment of the address at which a user accepts an invitation. */
export const INVITATION = 'invitation';
