import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './dialog.module.css'

const fadeMs = 120

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Something would be lost: only the dialog's own buttons close it. */
  readonly isHeld?: boolean
  /** To where it was before; not when that place is about to go. */
  readonly returnsFocus?: boolean
  readonly children: ReactNode
}

/** Costs nothing until it is opened for the first time. */
export function Dialog(props: DialogProps) {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => {
    if (props.isOpen) setMounted(true)
  }, [props.isOpen])
  // Mounted closed and then opened: else it would not know where to return the focus to.
  return (isMounted || props.isOpen) && <MountedDialog {...props} isOpen={isMounted && props.isOpen} />
}

function MountedDialog({ title, isOpen, onClose, isHeld, returnsFocus = true, children }: DialogProps) {
  const { t } = useTranslation()
  useEffect(() => {
    // Mantine would do it with a style element, which the policy of the page forbids.
    if (!isOpen) return
    document.documentElement.classList.add(styles.still!)
    return () => document.documentElement.classList.remove(styles.still!)
  }, [isOpen])
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      centered
      lockScroll={false}
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      returnFocus={returnsFocus}
      transitionProps={{ transition: 'fade', duration: fadeMs }}
      onExitTransitionEnd={() => setTimeout(keepFocusOnPage, fadeMs)}
      size="lg"
      classNames={{ content: styles.content!, title: styles.title!, body: styles.body! }}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* Not Modal.Header: outside of main that would be a second banner of the page. */}
        <div className={styles.header}>
          <Modal.Title>{title}</Modal.Title>
          {!isHeld && <Modal.CloseButton aria-label={t('common.close')} />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Where the dialog was opened from may be gone; then the heading takes the focus, so that the keyboard goes on from there. */
function keepFocusOnPage(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
}

interface TaskDialogProps extends Omit<DialogProps, 'returnsFocus' | 'children'> {
  /** Called once the dialog has let go of the focus, so that news on the page can take it. */
  readonly onDone: () => void
  readonly children: (done: () => void) => ReactNode
}

/** A dialog whose task changes the page that it was opened from. */
export function TaskDialog({ onDone, children, ...dialog }: TaskDialogProps) {
  const [isDone, setDone] = useState(false)
  function finish() {
    setDone(true)
    dialog.onClose()
    setTimeout(() => {
      onDone()
      setDone(false)
    }, fadeMs)
  }
  return (
    <Dialog {...dialog} returnsFocus={!isDone}>
      {children(finish)}
    </Dialog>
  )
}

/** The buttons at the foot of a dialog, the safe one first. */
export const DialogActions = ({ children }: { children: ReactNode }) => <div className={styles.actions}>{children}</div>
