import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { refreshWebhooks } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Problem } from '../../design/problem.tsx'

interface ConfirmationProps<T> {
  readonly title: string
  readonly hint: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly isOpen: boolean
  readonly act: () => Promise<T>
  readonly onClose: () => void
  readonly onDone?: (result: T) => void
}

/** Asks before something is done to a webhook. */
export function Confirmation<T>({ title, isOpen, onClose, ...rest }: ConfirmationProps<T>) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <Question {...rest} onClose={onClose} />
    </Dialog>
  )
}

function Question<T>({
  hint,
  action,
  isDangerous,
  act,
  onClose,
  onDone,
}: Omit<ConfirmationProps<T>, 'title' | 'isOpen'>) {
  const { t } = useTranslation()
  const acting = useMutation({
    mutationFn: act,
    onSuccess(result) {
      onClose()
      onDone?.(result)
    },
    onSettled: () => void refreshWebhooks(),
  })
  return (
    <>
      <p>{hint}</p>
      {acting.error && <Problem error={acting.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button isDestructive={isDangerous} loading={acting.isPending} onClick={() => acting.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </>
  )
}
