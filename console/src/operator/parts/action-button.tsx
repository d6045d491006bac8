import { useState } from 'react'
import { Button, type ButtonProps } from '../../design/button.tsx'
import { type DialogForm, FormDialog } from './form-dialog.tsx'
import { useTell } from './news.tsx'
import { useReasonField } from './use-reason-field.ts'

interface ActionButtonProps<Answer> {
  readonly label: string
  /** Where the label alone does not say what it is about. */
  readonly ariaLabel?: string
  readonly title: string
  readonly hint: string
  readonly isDestructive?: boolean
  readonly isReasonOptional?: boolean
  readonly send: (reason: string) => Promise<Answer>
  /** Says what was done. */
  readonly news?: string | ((answer: Answer) => string)
  /** Where there is more to show than news. */
  readonly onDone?: (answer: Answer) => void
  readonly size?: ButtonProps['size']
}

/** A button that asks for a reason, does it, and says so. */
export function ActionButton<Answer>(props: ActionButtonProps<Answer>) {
  const {
    label,
    ariaLabel,
    title,
    hint,
    isDestructive,
    isReasonOptional,
    send,
    news,
    onDone,
    size = 'compact-sm',
  } = props
  const tell = useTell()
  const [isAsking, setAsking] = useState(false)
  const reason = useReasonField(isReasonOptional ? { isOptional: true } : {})
  const form: DialogForm<'reason', Answer> = {
    title,
    hint,
    fields: [reason],
    submitLabel: label,
    ...(isDestructive && { isDestructive }),
    send: (values) => send(values.reason.trim()),
    onDone: (answer) => {
      if (news) tell(typeof news === 'string' ? news : news(answer))
      onDone?.(answer)
    },
  }
  return (
    <>
      <Button
        variant="default"
        size={size}
        onClick={() => setAsking(true)}
        {...(ariaLabel && { 'aria-label': ariaLabel })}
      >
        {label}
      </Button>
      <FormDialog form={isAsking ? form : null} onClose={() => setAsking(false)} />
    </>
  )
}
