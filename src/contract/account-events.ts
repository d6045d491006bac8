import { Type } from '../base/schema.ts'
import { event } from './event-row.ts'
import { Choice } from './field.ts'

const factorChanges = [
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_replaced',
  'recovery_code_used',
  'removal_started',
  'removal_cancelled',
  'removed_after_wait',
] as const

export const accountEvents = {
  'account.signed_in': event({
    data: { isNewNetwork: Type.Boolean({ description: 'Whether this is the first sign-in from this network.' }) },
    example: { isNewNetwork: true },
    shown: { group: 'account', page: '/account' },
    name: { en: 'Sign-in', zh: '登录' },
    subject: { en: 'Sign-in', zh: '账号登录' },
    detail: {
      by: 'isNewNetwork',
      values: {
        false: { en: 'From an address used before.', zh: '来自常用地址。' },
        true: { en: 'From a new address.', zh: '来自新的地址。' },
      },
    },
    alert: () => ({ en: 'Someone signed in to your account', zh: '您的账号有新的登录' }),
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
        recovery: { en: 'With a password reset code.', zh: '通过验证码重设。' },
      },
    },
    alert: () => ({ en: 'Your account’s password was changed', zh: '您账号的密码已修改' }),
  }),
  'account.second_factor_changed': event({
    data: { change: Choice(factorChanges) },
    example: { change: 'totp_added' },
    shown: { group: 'account', page: '/account' },
    name: { en: 'Two-step verification changed', zh: '两步验证变更' },
    detail: {
      by: 'change',
      values: {
        totp_added: { en: 'An authenticator app was added.', zh: '已绑定身份验证器。' },
        totp_removed: { en: 'The authenticator app was removed.', zh: '已移除身份验证器。' },
        passkey_added: { en: 'A passkey was added.', zh: '已添加通行密钥。' },
        passkey_removed: { en: 'A passkey was removed.', zh: '已移除通行密钥。' },
        recovery_codes_replaced: { en: 'The recovery codes were replaced.', zh: '已更换恢复码。' },
        recovery_code_used: { en: 'A recovery code was used.', zh: '使用了一个恢复码。' },
        removal_started: { en: 'A request was made to turn it off in 24 hours.', zh: '已申请 24 小时后关闭。' },
        removal_cancelled: { en: 'The request to turn it off was cancelled.', zh: '已取消关闭申请。' },
        removed_after_wait: { en: 'Turned off 24 hours after the request.', zh: '申请满 24 小时，已关闭。' },
      },
    },
    alert: () => ({ en: 'Two-step verification for your account changed', zh: '您账号的两步验证有变更' }),
  }),
}
