/** The page of the console on which a person enters the code of a device. */
export const DEVICE_PAGE = 'device';
