import { useNavigate } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { beginImport } from './begin-import.ts';
import { FileDrop } from './file-drop.tsx';
import { Stepper } from './stepper.tsx';
import './imports.css';

export function NewImportPage() {
  const org = useOrg();
  const navigate = useNavigate();
  const whyNot = useWhyNot()('create_import');
  return (
    <Page
      crumbs={[
        ['People', `/o/${org}/people`],
        ['Imports', `/o/${org}/imports`],
      ]}
      title="Import a file"
    >
      <div className="page mid imp">
        <div className="head">
          <div>
            <h1>Import a file</h1>
            <p className="sub">Nothing is written to people before the last step.</p>
          </div>
        </div>
        <Stepper now="file" />
        <div className="mt6">
          <FileDrop
            title="Drop a CSV file here"
            hint="A header and up to 50,000 rows, in UTF-8, parted by commas, semicolons or tabs."
            unless={whyNot}
            onFile={async (file) => {
              const id = await beginImport(org, file);
              await navigate({
                to: '/o/$org/imports/$import',
                params: { org, import: id },
                search: { step: 'map' },
              });
            }}
          />
        </div>
        <div className="row g4 wrap mt4">
          <CopyAsCall
            operation="create_import"
            input={{ name: 'People', columns: ['E-mail', 'First name'], sample_rows: [] }}
          />
        </div>
      </div>
    </Page>
  );
}
