import { type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { Icons } from './icons.tsx'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Only the dialog's own buttons close it, because closing would lose something. */
  readonly isHeld?: boolean
  /** At the side of the window, as high as it. */
  readonly isDrawer?: boolean
  /** Next to the close button. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Rendered in the body, so that it inherits no style and is never inside another form. */
export const Dialog = ({ isOpen, ...dialog }: DialogProps) =>
  isOpen && createPortal(<OpenDialog {...dialog} />, document.body)

function OpenDialog({ title, onClose, isHeld = false, isDrawer, actions, children }: Omit<DialogProps, 'isOpen'>) {
  const { t } = useTranslation()
  const titleId = useId()
  const frame = useRef<HTMLDialogElement>(null)
  const wasPressedOutside = useRef(false)
  useLayoutEffect(() => {
    const dialog = frame.current!
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      // Gives the focus back to where it was, as long as the dialog is still in the document.
      dialog.close()
      setTimeout(keepFocusOnPage, focusCheckMs)
    }
  }, [])
  /** Whether it happened on the backdrop: the content covers the whole dialog. */
  const isOutside = (event: MouseEvent) => event.target === frame.current

  return (
    <dialog
      ref={frame}
      aria-labelledby={titleId}
      className={styles.dialog}
      data-drawer={isDrawer || undefined}
      onCancel={(event) => {
        event.preventDefault()
        if (!isHeld) onClose()
      }}
      onKeyDown={(event) => {
        // Browsers close a dialog on the second Escape, whatever its `cancel` event says.
        if (isHeld && event.key === 'Escape') event.preventDefault()
      }}
      // Selecting text may end outside: only a press that began there closes.
      onMouseDown={(event) => {
        wasPressedOutside.current = isOutside(event)
      }}
      onClick={(event) => {
        if (!isHeld && wasPressedOutside.current && isOutside(event)) onClose()
      }}
    >
      <div className={styles.content}>
        <div className={styles.header}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <div className={styles.tools}>
            {actions}
            {!isHeld && (
              <IconButton className={styles.close} aria-label={t('common.close')} onClick={onClose}>
                <Icons.close />
              </IconButton>
            )}
          </div>
        </div>
        <div className={styles.body}>{children}</div>
      </div>
    </dialog>
  )
}

/** Long enough for the list behind the dialog to have been read again. */
const focusCheckMs = 240

/** If the element that opened the dialog is gone, the page heading takes the focus. */
function keepFocusOnPage(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
}

/** The buttons at the foot of a dialog, the safe one first. */
export const DialogActions = ({ children }: { children: ReactNode }) => <div className={styles.actions}>{children}</div>

/** Asks before the tab is closed or reloaded, as long as something would be lost. */
export function useLeaveWarning(wouldLose: boolean): void {
  useEffect(() => {
    if (!wouldLose) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [wouldLose])
}
