/** User id (and group id) of a user without rights to start agents as: `nobody` where the tests run as root, else null, the tests' own. */
export const plainUser = process.getuid?.() === 0 ? 65_534 : null;
