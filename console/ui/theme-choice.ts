/** The key of the choice in the storage of the browser, which the documents read too. */
export const THEME = 'theme';

export const themes = ['system', 'light', 'dark'] as const;
