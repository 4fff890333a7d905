import { holdToPermissions } from './hold-to-permissions.ts';

holdToPermissions('connection');
