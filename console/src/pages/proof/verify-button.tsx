import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Verification } from '../../../../sdk/src/verify.ts'
import { Button, RowButton } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Icons } from '../../design/icons.tsx'
import { LoadingRows, Problem } from '../../design/notice.tsx'
import type { ReceiptOf } from './check.ts'

interface VerifyButtonProps {
  readonly of: ReceiptOf
  /** Small, in the row of a table. */
  readonly isInRow?: boolean
}

/** Checks a signed receipt in this browser and shows each step. */
export function VerifyButton({ of, isInRow = false }: VerifyButtonProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  return (
    <>
      {isInRow ? (
        <RowButton onClick={open}>{t('chargeDetails.verify')}</RowButton>
      ) : (
        <Button className="not-printed" variant="default" icon={<Icons.check size={16} />} onClick={open}>
          {t('chargeDetails.verify')}
        </Button>
      )}
      <Dialog title={t('chargeDetails.verify')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Checked of={of} />
      </Dialog>
    </>
  )
}

/** The verifier and its words load when they are first needed. */
async function check(of: ReceiptOf) {
  const { checkReceipt, Verified } = await import('./verified.tsx')
  return { Verified, outcome: await checkReceipt(of).catch(outcomeOf) }
}

/** That this browser cannot verify is a result, not a failure. */
function outcomeOf(error: Error): null {
  if (error.name === 'CannotVerify') return null
  throw error
}

const pendingMs = 1500

/** Signed, but not in the log yet. */
const isPending = (outcome: Verification | null): boolean =>
  outcome !== null && outcome.steps[0]?.ok === true && outcome.payload?.checkpoint === null

function Checked({ of }: { of: ReceiptOf }) {
  // Each opening checks anew.
  const { data, error, refetch } = useQuery({
    queryKey: ['verify', of],
    queryFn: () => check(of),
    gcTime: 0,
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.data && isPending(state.data.outcome) ? pendingMs : false),
  })
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingRows rows={5} />
  const { Verified, outcome } = data
  return <Verified outcome={outcome} isPending={isPending(outcome)} />
}
