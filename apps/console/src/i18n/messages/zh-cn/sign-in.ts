import type { TextsOf } from '../en/index.js';
import type { signIn as english } from '../en/sign-in.js';

export const signIn: TextsOf<typeof english> = {
  signIn: {
    or: '或',
    through: '使用 {name} 登录',
    directoryHint: '可以在此使用 {name} 的用户名和密码。',
  },
};
