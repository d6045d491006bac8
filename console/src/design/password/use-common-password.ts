import { useEffect, useState } from 'react'
import { passwordFault } from '../../format/password-rule.ts'

/** Whether the password is a common one. The list loads once somebody has typed enough; without it there is no warning. */
export function useCommonPassword(password: string): boolean {
  const [common, setCommon] = useState<string | null>(null)
  useEffect(() => {
    if (passwordFault(password)) return
    let isCurrent = true
    import('../../../../src/features/accounts/common-passwords.ts')
      .then(({ isCommonPassword }) => isCurrent && setCommon(isCommonPassword(password) ? password : null))
      .catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [password])
  return common === password
}
