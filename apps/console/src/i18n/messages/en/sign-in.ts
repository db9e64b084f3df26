export const signIn = {
  signIn: {
    or: 'or',
    through: 'Sign in with {name}',
    directoryHint: 'You can use your name and password of {name} here.',
  },
};
