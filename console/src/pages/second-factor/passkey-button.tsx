import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { canUsePasskeys, PasskeyCancelled } from './passkey-browser.ts'

interface PasskeyButtonProps<T> {
  readonly label: string
  readonly prove: () => Promise<T>
  readonly onProven: (response: T) => void
}

/** Proves a passkey. Renders nothing if the browser does not support them. */
export function PasskeyButton<T>({ label, prove, onProven }: PasskeyButtonProps<T>) {
  const proving = useMutation({ mutationFn: prove, onSuccess: onProven })
  if (!canUsePasskeys()) return null
  return (
    <>
      <div>
        <Button variant="default" loading={proving.isPending} onClick={() => proving.mutate()}>
          {label}
        </Button>
      </div>
      {proving.error && <PasskeyProblem error={proving.error} />}
    </>
  )
}

export function PasskeyProblem({ error }: { error: Error }) {
  const { t } = useTranslation()
  return error instanceof PasskeyCancelled ? (
    <Notice isNews>{t('secondFactor.passkeyCancelled')}</Notice>
  ) : (
    <Problem error={error} />
  )
}
