// The button that offers what `@`, `/` and the clipboard offer on a keyboard: files, commands and pictures.
import { useRef } from 'react'
import { Icon } from '../shared/controls/icon.js'
import { Menu, MenuItem } from '../shared/controls/menu.js'
import { strings } from '../strings/strings.js'
import { PICTURE_TYPES } from './use-pictures.js'

const words = strings.session

type AddMenuProps = {
  readonly noPictures: string | undefined
  readonly onPictures: (files: Iterable<File>) => void
  readonly onSign: ((sign: '@' | '/') => void) | undefined
}

export function AddMenu({ noPictures, onPictures, onSign }: AddMenuProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept={PICTURE_TYPES.join(',')}
        onChange={({ target }) => {
          onPictures([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Menu
        side="top"
        trigger={
          <button type="button" className="pick icon-only" aria-label={words.add} title={words.add}>
            <Icon name="plus" />
          </button>
        }
      >
        <MenuItem
          icon="image"
          isDisabled={noPictures !== undefined}
          onSelect={() => picker.current?.click()}
        >
          {noPictures ?? words.addPicture}
        </MenuItem>
        {onSign && (
          <>
            <MenuItem icon="file" keys="@" onSelect={() => onSign('@')}>
              {words.addFile}
            </MenuItem>
            <MenuItem icon="slash" keys="/" onSelect={() => onSign('/')}>
              {words.addCommand}
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  )
}
