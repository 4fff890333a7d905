import { runMigrations } from '../../src/database/run-migrations.ts';

const [url, folder] = process.argv.slice(2);
await runMigrations(url!, folder);
