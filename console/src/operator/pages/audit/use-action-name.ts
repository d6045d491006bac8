import { useTranslation } from 'react-i18next'
import type { operatorEn } from '../../../i18n/operator/en/en.ts'

type ActionKey = keyof typeof operatorEn.audit.actions

/** Actions that can be chosen by name. An entry may have one that is newer than this page. */
export const auditActions: readonly string[] = [
  'account.suspend',
  'account.reinstate',
  'account.sign_out',
  'account.recover',
  'key.revoke',
  'credits.grant',
  'credits.grant.request',
  'credits.grant.approve',
  'credits.grant.reject',
  'credits.withdraw',
  'credits.withdraw.request',
  'credits.withdraw.approve',
  'credits.withdraw.reject',
  'review.settle',
  'review.release',
  'provider.take_out',
  'provider.put_back',
  'reconcile.start',
  'operator.add',
  'operator.disable',
  'operator.reset',
  'operator.approve',
  'operator.reject',
  'operator.lock',
  'operator.password',
  'operator.totp',
  'operator.sign_in',
  'operator.sign_in_failed',
  'operator.sign_out',
  'operator.refused',
]

/** Says an action in the reader's language, or as it is stored where there are no words for it. */
export function useActionName(): (action: string) => string {
  const { t } = useTranslation()
  // A dot would be a step in the words.
  return (action) => t(`operator.audit.actions.${action.replaceAll('.', '_') as ActionKey}`, { defaultValue: action })
}
