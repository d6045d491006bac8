import { Type } from 'typebox'
import { event } from './event-row.ts'
import { Choice } from './field.ts'

/** Events of accounts. */
export const accountEvents = {
  'account.signed_in': event({
    data: { isNewNetwork: Type.Boolean({ description: 'Whether the account was never used from there before.' }) },
    example: { isNewNetwork: true },
    shown: { group: 'account', page: '/account' },
    name: { en: 'Sign-in', zh: '登录' },
    subject: { en: 'Sign-in', zh: '账号登录' },
    detail: {
      by: 'isNewNetwork',
      values: {
        false: { en: 'From an address used before.', zh: '来自常用地址。' },
        true: { en: 'From an address never used before.', zh: '来自从未使用过的地址。' },
      },
    },
    alert: () => ({ en: 'Somebody signed in to your account', zh: '您的账号有新的登录' }),
  }),
  'account.password_changed': event({
    data: { by: Choice(['password', 'recovery']) },
    example: { by: 'recovery' },
    shown: { group: 'account', page: '/account' },
    name: { en: 'Password changed', zh: '修改密码' },
    subject: { en: 'Password changed', zh: '密码已修改' },
    detail: {
      by: 'by',
      values: {
        password: { en: 'With the current password.', zh: '使用当前密码修改。' },
        recovery: { en: 'With a recovery code.', zh: '通过验证码重设。' },
      },
    },
    alert: () => ({ en: 'The password of your account was changed', zh: '您账号的密码已修改' }),
  }),
}
